import type { AccountItemKind, AccountItemReason } from '@panel/contract/account-restores'
import type { PlannedItem } from '../../db/schema/account-restores.ts'

/** Something of the account, in the backup or on the server. */
export interface AccountThing {
  key: string
  kind: AccountItemKind
  name: string
  /** Keys of things that it cannot exist without. */
  needs: readonly string[]
}

/** A name that is unique on the server or in the account, and the row that has it. */
export interface HeldName {
  name: string
  holder: string
  userId: string
  /** Key of the thing that takes the name. */
  item: string | null
}

export interface PlanFacts {
  userId: string
  /** In the backup. */
  saved: readonly AccountThing[]
  savedNames: readonly HeldName[]
  /** On the server. */
  present: readonly AccountThing[]
  /** Holders of the names in `savedNames`. */
  heldNames: readonly HeldName[]
  /** Keys of things that are being removed. */
  leaving: ReadonlySet<string>
  /** By key of the project: the time of the backup that has its files and databases. */
  contents: ReadonlyMap<string, string>
  /** Time of the backup of the panel. */
  takenAt: string
}

/** What a restore of the account does with each of its things: in the order of `saved`, then what the backup does not have. */
export function planAccount(facts: PlanFacts): PlannedItem[] {
  const present = new Set(facts.present.map(({ key }) => key))
  const saved = new Set(facts.saved.map(({ key }) => key))
  const items = facts.saved.map((thing) => ({
    ...pick(thing),
    ...(present.has(thing.key) ? changeOfPresent(facts, thing) : changeOfMissing(facts, thing))
  }))
  const added = facts.present.filter(({ key }) => !saved.has(key))
  return [
    ...items,
    ...added.map((thing) => ({ ...pick(thing), change: 'STAYS' as const, reason: 'NOT_IN_BACKUP' as const, takenAt: null })) // oxfmt-ignore
  ]
}

const pick = ({ key, kind, name }: AccountThing) => ({ key, kind, name })

type Change = Pick<PlannedItem, 'change' | 'reason' | 'takenAt'>

/** Rows of what exists are not changed: only its content is restored. */
function changeOfPresent(facts: PlanFacts, { key, kind, needs }: AccountThing): Change {
  const unchanged = { change: 'STAYS', reason: null, takenAt: null } as const
  switch (kind) {
    case 'PROJECT':
      return contentOf(facts, key, 'EXCHANGED')
    case 'DATABASE':
      return contentOf(facts, needs.find((need) => need.startsWith('PROJECT:')) ?? null, 'BESIDE')
    case 'MAILBOX':
      return { change: 'EXCHANGED', reason: null, takenAt: facts.takenAt }
    default:
      return unchanged
  }
}

function contentOf(facts: PlanFacts, project: string | null, change: 'EXCHANGED' | 'BESIDE'): Change {
  const takenAt = project === null ? facts.takenAt : facts.contents.get(project)
  return takenAt === undefined
    ? { change: 'STAYS', reason: 'NO_BACKUP', takenAt: null }
    : { change, reason: null, takenAt }
}

function changeOfMissing(facts: PlanFacts, thing: AccountThing): Change {
  const refusal = refusalOf(facts, thing)
  if (refusal !== undefined) return { change: 'REFUSED', reason: refusal, takenAt: null }
  const project = thing.kind === 'PROJECT' ? thing.key : thing.needs.find((need) => need.startsWith('PROJECT:'))
  if (project === undefined || !['PROJECT', 'DATABASE'].includes(thing.kind))
    return { change: 'RETURNS', reason: null, takenAt: facts.takenAt }
  const takenAt = facts.contents.get(project) ?? null
  return { change: 'RETURNS', reason: takenAt === null ? 'NO_BACKUP' : null, takenAt }
}

function refusalOf(
  { userId, savedNames, heldNames, leaving }: PlanFacts,
  { key }: AccountThing
): AccountItemReason | undefined {
  if (leaving.has(key)) return 'BEING_REMOVED'
  const wanted = new Map(savedNames.filter(({ item }) => item === key).map(({ name, holder }) => [name, holder]))
  const others = heldNames.filter(({ name, holder }) => wanted.has(name) && wanted.get(name) !== holder)
  if (others.some((held) => held.userId !== userId)) return 'NAME_TAKEN'
  return others.length > 0 ? 'ADDED_AGAIN' : undefined
}

/** The plan without the keys in `skip` and what needs one of them. */
export function withoutItems(
  items: readonly PlannedItem[],
  needs: ReadonlyMap<string, readonly string[]>,
  skip: readonly string[]
): PlannedItem[] {
  const gone = new Set(skip)
  const isMissing = (key: string) => gone.has(key)
  for (let size = -1; size !== gone.size;) {
    size = gone.size
    for (const { key, change } of items)
      if (!gone.has(key) && change !== 'STAYS' && needs.get(key)?.some(isMissing)) gone.add(key)
  }
  return items.map((item) => {
    if (!gone.has(item.key) || item.change === 'STAYS') return item
    const reason = skip.includes(item.key) ? null : ('NEEDS_SKIPPED' as const)
    return { ...item, change: 'SKIPPED', reason, takenAt: null }
  })
}
