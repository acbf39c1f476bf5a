import { AdapterError } from '../../src/infra/adapter-error.ts'
import { renderFilterSettings } from '../../src/infra/mail-filter/filter-settings.render.ts'
import type { FilterSettings, HeldMessage, MailFilter } from '../../src/infra/mail-filter/mail-filter.ts'
import { assertMailDomain } from '../../src/infra/mail-server/mail-names.ts'

export interface MemoryMailFilter extends MailFilter {
  readonly settings: Map<string, FilterSettings>
  readonly held: Map<string, HeldMessage>
  readonly notified: Set<string>
  notedAt: Date
  /** Makes every write reject and the ping fail. */
  isUnavailable: boolean
}

export function createMemoryMailFilter(): MemoryMailFilter {
  const assertThere = () => {
    if (filter.isUnavailable)
      throw new AdapterError('mail-server-unavailable', 'The spam filter (Rspamd) is not responding')
  }
  const filter: MemoryMailFilter = {
    settings: new Map(),
    held: new Map(),
    notified: new Set(),
    notedAt: new Date(),
    isUnavailable: false,
    async ping() {
      assertThere()
    },
    async putSettings(settings) {
      renderFilterSettings(settings)
      assertThere()
      filter.settings.set(settings.domain, structuredClone(settings))
    },
    async removeSettings(domain) {
      assertMailDomain(domain)
      assertThere()
      filter.settings.delete(domain)
    },
    listDomains: async () => [...filter.settings.keys()],
    listHeld: async (limit) =>
      [...filter.held.keys()].slice(0, limit).map((id) => ({
        id,
        isNotified: filter.notified.has(id),
        notedAt: filter.notedAt
      })),
    async markNotified(id) {
      filter.notified.add(id)
    },
    async forgetHeld(id) {
      filter.held.delete(id)
    },
    readHeld: async (ids) => new Map(ids.flatMap((id) => (filter.held.has(id) ? [[id, filter.held.get(id)!]] : [])))
  }
  return filter
}
