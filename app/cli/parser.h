#pragma once

// The classes of CLI11 that headers name. Its own header takes seconds to compile and is included where
// parsers are filled only.
namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI
