import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { healthOf, isAway } from './health.service.ts'

/** Parts of the server that do not answer, with what to do about each. */
export const partsAway: AttentionSource = {
  isOfServer: true,
  async list(deps) {
    const { parts } = await healthOf(deps)
    const away = Object.entries(parts).filter(([, part]) => isAway(part))
    return foundIn(away, ([name, { remedy = null, sentences }]) =>
      attentionItem('PART_AWAY', 'part', name, name, { detail: remedy, sentences })
    )
  }
}
