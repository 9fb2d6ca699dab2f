#include "app/remote/wire.h"
#include "tests/fuzz/fuzz_main.h"
#include "tests/support/temporary_folder.h"

#include <sys/mman.h>

// Messages from another machine, each of which may announce files whose bytes follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  using app::remote::Wire;
  static const test::TemporaryFolder folder;
  const int in = memfd_create("line", MFD_CLOEXEC);
  if (write(in, data, size) != ssize_t(size) || lseek(in, 0, SEEK_SET) != 0) std::abort();
  Wire wire(in, in);
  const auto names = [&](const Wire::Json& files) {
    for (const auto& file : files)
      wire.receiveFile(folder / "file", file.at(1).get<std::uint64_t>(), Progress{});
  };
  const int result = fuzz::parseOrError([&] {
    try {
      for (;;) {
        const Wire::Json message = wire.receive();
        if (message.contains("preview")) names(message.at("preview"));
        if (message.contains("ended")) names(message.at("ended").value("files", Wire::Json::array()));
      }
    } catch (const app::remote::BrokenLine&) {
    } catch (const Wire::Json::exception&) {  // which the conversation reports
    }
  });
  close(in);
  return result;
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {
      "{\"sulcus\":\"0.2.0\",\"commit\":\"abc\"}\n{\"missing\":[\"00ff\"]}\n{\"started\":true}\n"
      "{\"progress\":\"{\\\"fraction\\\":0.5,\\\"stage\\\":\\\"fit\\\"}\"}\n",
      "Welcome\n{\"preview\":[[\"peaks.nii.gz\",3],[\"b\",2]]}\nabcde{\"ended\":{\"code\":0,\"complaint\":"
      "\"\","
      "\"printed\":\"x\",\"files\":[[\"peaks.nii.gz\",4]]}}\nabcd",
      "{\"ended\":{\"code\":3,\"complaint\":\"\\u001b[31m\",\"files\":[[\"../a\",18446744073709551615]]}}\n"};
}
