import Glibc
import Simulation

/// A stand-in for the App Store, to try consumptiond without Apple.
@main
enum Main {
  static func main() {
    // A client that hangs up must not end the simulator.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "help", "--help", "-h": print(help)
      case "sign": try SignCommand(Options(arguments.dropFirst(), SignCommand.options)).run()
      default: try ServeCommand(Options(arguments[...], ServeCommand.options)).run()
      }
    } catch let error as UsageError {
      complain("\(error.message)\nTry: AppStoreSimulator help")
      exit(64)
    } catch {
      complain("\(error)")
      exit(70)
    }
  }
}

/// One line on stderr, in one piece: connections write at the same time.
func complain(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
