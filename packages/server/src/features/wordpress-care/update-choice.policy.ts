import type { WordpressComponent, WordpressTaskItem, WordpressUpdatePolicy } from '@panel/contract/wordpress-care'

interface KnownUpdates {
  components: readonly WordpressComponent[]
  /** All versions of the core that WordPress offers. */
  coreOffers: readonly string[]
}

type Wanted = readonly Pick<WordpressComponent, 'kind' | 'id'>[]

export const availableUpdates = (
  { components }: Pick<KnownUpdates, 'components'>,
  wanted?: Wanted
): WordpressTaskItem[] =>
  components.flatMap((component) => {
    const { kind, id, name, version: from, newVersion: to } = component
    const isWanted = wanted === undefined || wanted.some((each) => each.kind === kind && each.id === id)
    return to === null || !isWanted ? [] : [{ kind, id, name, from, to }]
  })

/** What automatic updates install. A version that had to be rolled back waits for the next one. */
export function automaticUpdates(
  known: KnownUpdates,
  policy: WordpressUpdatePolicy,
  rolledBack: readonly WordpressTaskItem[]
): WordpressTaskItem[] {
  const isRefused = (item: WordpressTaskItem) =>
    rolledBack.some(({ kind, id, to }) => kind === item.kind && id === item.id && to === item.to)
  return wantedBy(known, policy).filter((item) => !isRefused(item))
}

function wantedBy({ components, coreOffers }: KnownUpdates, policy: WordpressUpdatePolicy): WordpressTaskItem[] {
  if (policy === 'OFF') return []
  if (policy === 'ALL') return availableUpdates({ components })
  const core = components.find(({ kind }) => kind === 'CORE')
  const minor = core && newestMinor(core.version, coreOffers)
  if (!core || minor === undefined) return []
  return [{ kind: 'CORE', id: core.id, name: core.name, from: core.version, to: minor }]
}

/** In WordPress, 6.8.1 is a minor version of 6.8, and 6.9 a major one. */
function newestMinor(version: string, offers: readonly string[]): string | undefined {
  const current = parse(version)
  if (!current) return undefined
  return offers
    .flatMap((offer) => ({ offer, parsed: parse(offer) }))
    .filter(({ parsed }) => parsed?.branch === current.branch && parsed.patch > current.patch)
    .toSorted((one, other) => other.parsed!.patch - one.parsed!.patch)[0]?.offer
}

function parse(version: string): { branch: string; patch: number } | undefined {
  const found = /^(\d+\.\d+)(?:\.(\d+))?$/.exec(version)
  return found ? { branch: found[1]!, patch: Number(found[2] ?? 0) } : undefined
}
