import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import type { ServedZone } from './dns-server.ts'
import { parseCds, parseZoneStatus } from './knot-answers.ts'
import { isNoSuchZone, type KnotControl, partialAnswer } from './knot-control.ts'
import { catalogName } from './zone-name.ts'

interface MembersOptions {
  control: KnotControl
  startCommand: KnotControl
  listZoneFiles: () => Promise<string[]>
  stallTimeoutMs: number
  loadTimeoutMs: number
}

const pollMs = 20
const maxNamed = 100

/** Waits until the server serves exactly these zones; resolves with whether it had to reload its catalog. */
export async function reconcileMembers(
  options: MembersOptions,
  wanted: readonly ServedZone[],
  isCatalogNew: boolean
): Promise<boolean> {
  const { control, stallTimeoutMs } = options
  let open = await findUnapplied(options, wanted)
  if (open.unapplied.length === 0 && !isCatalogNew) return false
  if (open.unloaded.length > 0) await loadOnce(control, open.unloaded)
  await control('zone-reload', catalogName)
  let lowestCount = Infinity
  for (let deadline = 0; ; await sleep(pollMs)) {
    open = await findUnapplied(options, wanted)
    const count = open.unapplied.length
    if (count === 0) return true
    if (count < lowestCount) {
      lowestCount = count
      deadline = performance.now() + stallTimeoutMs
    } else if (performance.now() > deadline) {
      throw notServing(open.unapplied)
    }
  }
}

export async function loadZone({ control, stallTimeoutMs }: MembersOptions, name: string): Promise<void> {
  try {
    await control('zone-reload', name)
    return
  } catch (error) {
    if (!isNoSuchZone(error)) throw error
  }
  // The zone is in the catalog file, but the server has not read that version yet.
  await control('zone-reload', catalogName)
  for (const deadline = performance.now() + stallTimeoutMs; ; await sleep(pollMs)) {
    const status = await control('zone-status', name).catch((error: unknown) => {
      if (!isNoSuchZone(error)) throw error
      return ''
    })
    if (parseZoneStatus(status).get(name)?.serial !== undefined) return
    if (performance.now() > deadline) throw notServing([name])
  }
}

/**
 * Does not block the server's other commands. Knot reports no failure in this mode, so an unchanged serial is retried.
 */
export async function loadLargeZone(options: MembersOptions, name: string): Promise<void> {
  const { control, startCommand, loadTimeoutMs } = options
  try {
    const read = async () => parseZoneStatus(await control('zone-status', name)).get(name)
    const before = await read()
    await startCommand('zone-reload', name)
    let now = await read()
    for (const deadline = performance.now() + loadTimeoutMs; now?.isLoading; now = await read()) {
      if (performance.now() > deadline) throw notServing([name])
      await sleep(pollMs)
    }
    if (now?.serial !== undefined && now.serial !== before?.serial) return
  } catch (error) {
    if (!isNoSuchZone(error)) throw error
  }
  await loadZone(options, name)
}

/** `unloaded`: zones with a file that the server has not loaded. Zones without a file are not waited for. */
async function findUnapplied(
  { control, listZoneFiles }: MembersOptions,
  wanted: readonly ServedZone[]
): Promise<{ unapplied: string[]; unloaded: string[] }> {
  const members = parseZoneStatus(await control('zone-status'))
  // Knot applies the group first and signs a moment later.
  const signed = parseCds(await control('zone-read', '--', '@', 'CDS').catch(partialAnswer))
  const files = new Set(await listZoneFiles())
  const unloaded = wanted
    .map(({ name }) => name)
    .filter((name) => members.has(name) && members.get(name)?.serial === undefined && files.has(name))
  const isApplied = ({ name, isSigned }: ServedZone): boolean => {
    const member = members.get(name)
    if (member === undefined || member.isSigned !== isSigned) return false
    if (member.serial === undefined) return !files.has(name)
    return signed.has(name) === isSigned
  }
  const names = new Set(wanted.map(({ name }) => name))
  const unapplied = [
    ...wanted.filter((zone) => !isApplied(zone)).map(({ name }) => name),
    ...[...members.keys()].filter((name) => !names.has(name))
  ]
  return { unapplied, unloaded }
}

async function loadOnce(control: KnotControl, names: readonly string[]): Promise<void> {
  const [first, ...others] = names.slice(0, maxNamed)
  try {
    await control('zone-reload', first!, ...others)
  } catch (error) {
    partialAnswer(error) // Those that still fail are found in the next check.
  }
}

const notServing = (names: readonly string[]): AdapterError =>
  new AdapterError('name-server-unavailable', 'The name server does not serve all zones', {
    cause: new Error(`Outdated: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`)
  })
