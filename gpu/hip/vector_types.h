#pragma once

#include "gpu/hip/cuda_runtime_api.h"
