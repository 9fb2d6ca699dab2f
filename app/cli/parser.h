#pragma once

// Forward declarations of CLI11 classes used in headers. Its own header takes seconds to compile and is
// included only where parsers are filled.
namespace CLI {
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI
