import Simulation

/// What `AppStoreSimulator help` prints.
let help = """
  AppStoreSimulator: a strict stand-in for the App Store, to try consumptiond without Apple.
  It takes Send Consumption Information V2 and V1 on 127.0.0.1, refuses what Apple would refuse,
  and signs notifications on a chain of its own (named NOT APPLE).

  AppStoreSimulator [OPTIONS]         runs until Ctrl-C; one line for each request on stderr
    --port N                          default: any that is free
    --tls                             https; clients need tls-root.pem of the folder
    --folder DIR                      chain, key and transactions; made with mode 0700. Default: a
                                      temporary folder, removed at the end
    --public-key FILE                 the public half of your key; default: makes
                                      SubscriptionKey_ID.p8 in the folder
    --bundle-id ID                    default: com.example.app
    --key-id ID, --issuer-id UUID     what tokens must name
    --environment Production|Sandbox  knows no transactions of the other; default: both
    --fail FAULT                      let requests go wrong, may be given several times:
                                      \(FaultText.grammar.replacing("\n", with: "\n                                    "))

  AppStoreSimulator sign --folder DIR [OPTIONS]    prints a signed payload
    --type TYPE                       default: CONSUMPTION_REQUEST; REFUND, DID_RENEW, TEST, …
    --subtype WORD
    --transaction-id ID --purchased TIME --expires TIME
    --original-transaction-id ID --app-transaction-id ID --token UUID
    --product ID                      default: pro.monthly
    --type-of-product TYPE            Apple's words, such as "Consumable"; default: Auto-Renewable
                                      Subscription
    --price MILLIUNITS                default: 9990, which is 9.99
    --currency CODE --quantity N      default: USD, 1
    --reason WORD                     default: UNINTENDED_PURCHASE
    --ownership PURCHASED|FAMILY_SHARED|ASSIGNED
    --environment Production|Sandbox  default: Production
    --signed-at TIME                  default: now
    --percentage MILLIUNITS           of a REFUND: refunded in part
    --bundle-id ID --app-apple-id N --uuid UUID
    --count N                         as many payloads, one a line, of transactions ID, ID + 1, …
    --set KEY=JSON                    any field of the transaction; nothing behind the = removes it
    --forge WHAT                      \(forgeries)

  As soon as one transaction is signed in the folder, the simulator knows no others (4040010).

  Examples:
    AppStoreSimulator --folder ./simulator --port 8080
    AppStoreSimulator --fail '503*3' --fail '429:5*1'
    AppStoreSimulator sign --folder ./simulator --transaction-id 2000001 \\
      --token 7e3fb20b-4cdb-47cc-936d-99d65f608138 \\
      --purchased 2026-11-01T00:00:00Z --expires 2026-12-01T00:00:00Z | consumptiond enqueue -
    AppStoreSimulator sign --folder ./simulator --transaction-id 2000002 --type-of-product Consumable \\
      --purchased 2026-11-01T00:00:00Z --set 'storefront="DEU"'
  """

private let forgeries: String = {
  var lines = [""]
  for forgery in Forgery.allCases {
    let word = forgery.rawValue + (forgery == Forgery.allCases.last ? "" : ",")
    if (lines[lines.count - 1] + " " + word).count > 62 { lines.append("") }
    lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
  }
  return lines.joined(separator: "\n" + String(repeating: " ", count: 38))
}()
