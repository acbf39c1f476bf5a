import { assertMailDomain } from '../mail-server/mail-names.ts'
import type { FilterSettings } from './mail-filter.ts'

/** An address or a domain, without characters that are special in JSON or UCL. */
const sender = /^(?:[a-z0-9!#%&'*+/=?^_`{|}~.-]{1,64}@)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

export function renderFilterSettings(settings: FilterSettings): string {
  assertMailDomain(settings.domain)
  return `${JSON.stringify({
    enabled: settings.isEnabled,
    junk: points(settings.junkScore),
    refuse: points(settings.refuseScore),
    greylisting: settings.isGreylisting,
    allow: setOf(settings.allow),
    deny: setOf(settings.deny)
  })}\n`
}

const setOf = (senders: readonly string[]): Record<string, true> =>
  Object.fromEntries(
    senders.map((one) => {
      if (!sender.test(one)) throw new TypeError(`Not a sender: ${JSON.stringify(one).slice(0, 100)}`)
      return [one, true] as const
    })
  )

function points(score: number): number {
  if (!Number.isFinite(score) || score < -1_000 || score > 10_000) throw new TypeError(`Not a score: ${score}`)
  return score
}
