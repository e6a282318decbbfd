/// The four kinds of products, in the words of a transaction's `type`.
public enum ProductType: String, Sendable, CaseIterable {
  case autoRenewable = "Auto-Renewable Subscription"
  case nonRenewing = "Non-Renewing Subscription"
  case consumable = "Consumable"
  case nonConsumable = "Non-Consumable"
}
