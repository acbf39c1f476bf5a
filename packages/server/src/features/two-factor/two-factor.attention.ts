import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'

export const twoFactorOff: AttentionSource = {
  isOfServer: true,
  list: async (_deps, user) =>
    foundIn(user.totpEnabled ? [] : [user], ({ id, email }) => attentionItem('TWO_FACTOR_OFF', 'account', id, email))
}
