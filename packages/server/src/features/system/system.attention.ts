import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { healthOf, isUnavailable } from './health.service.ts'

export const unavailableParts: AttentionSource = {
  isOfServer: true,
  async list(deps) {
    const { parts } = await healthOf(deps)
    const unavailable = Object.entries(parts).filter(([, part]) => isUnavailable(part))
    return foundIn(unavailable, ([name, { remedy = null, sentences }]) =>
      attentionItem('PART_AWAY', 'part', name, name, { detail: remedy, sentences })
    )
  }
}
