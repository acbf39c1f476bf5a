import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import type { ServedZone } from './dns-server.ts'
import { parseCds, parseZoneStatus } from './knot-answers.ts'
import { isNoSuchZone, type KnotControl, partialAnswer } from './knot-control.ts'
import { catalogName } from './zone-name.ts'

interface MembersOptions {
  control: KnotControl
  /** Does not wait until a command is carried out, so that others have their turn. */
  begin: KnotControl
  /** Names of the zones whose files are in place. */
  listZoneFiles: () => Promise<string[]>
  /** How long nothing may get better before we give up. */
  stallTimeoutMs: number
  /** How long a large zone may take to be read and signed. */
  loadTimeoutMs: number
}

const pollMs = 20
// Arguments of one command.
const maxNamed = 100

/** Has the server read its catalog if need be, and waits until it answers for exactly these. Resolves with whether there was need. */
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
  let fewest = Infinity
  for (let deadline = 0; ; await sleep(pollMs)) {
    open = await findUnapplied(options, wanted)
    const count = open.unapplied.length
    if (count === 0) return true
    if (count < fewest) {
      fewest = count
      deadline = performance.now() + stallTimeoutMs
    } else if (performance.now() > deadline) {
      throw notAnswering(open.unapplied)
    }
  }
}

/** Waits until the server answers from the file of a zone that it has just been told of. */
export async function loadZone({ control, stallTimeoutMs }: MembersOptions, name: string): Promise<void> {
  try {
    await control('zone-reload', name)
    return
  } catch (error) {
    if (!isNoSuchZone(error)) throw error
  }
  // It is in the catalog, so the server was not told, or has not come to it yet.
  await control('zone-reload', catalogName)
  for (const deadline = performance.now() + stallTimeoutMs; ; await sleep(pollMs)) {
    const status = await control('zone-status', name).catch((error: unknown) => {
      if (!isNoSuchZone(error)) throw error
      return ''
    })
    if (parseZoneStatus(status).get(name)?.serial !== undefined) return
    if (performance.now() > deadline) throw notAnswering([name])
  }
}

/** As loadZone, and the server carries out other commands meanwhile. It says nothing of a failure: where nothing has changed, we ask again. */
export async function loadLargeZone(options: MembersOptions, name: string): Promise<void> {
  const { control, begin, loadTimeoutMs } = options
  try {
    const read = async () => parseZoneStatus(await control('zone-status', name)).get(name)
    const before = await read()
    await begin('zone-reload', name)
    let now = await read()
    for (const deadline = performance.now() + loadTimeoutMs; now?.isLoading; now = await read()) {
      if (performance.now() > deadline) throw notAnswering([name])
      await sleep(pollMs)
    }
    if (now?.serial !== undefined && now.serial !== before?.serial) return
  } catch (error) {
    if (!isNoSuchZone(error)) throw error
  }
  await loadZone(options, name)
}

/** `unloaded`: those with a file that the server has not loaded. One without a file cannot be, and is nothing to wait for. */
async function findUnapplied(
  { control, listZoneFiles }: MembersOptions,
  wanted: readonly ServedZone[]
): Promise<{ unapplied: string[]; unloaded: string[] }> {
  const members = parseZoneStatus(await control('zone-status'))
  // The group comes first, the signatures a moment later.
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

/** Their files came after the server had looked for them, and nobody told it. */
async function loadOnce(control: KnotControl, names: readonly string[]): Promise<void> {
  const [first, ...others] = names.slice(0, maxNamed)
  try {
    await control('zone-reload', first!, ...others)
  } catch (error) {
    partialAnswer(error) // Which of them stay away is found out next.
  }
}

const notAnswering = (names: readonly string[]): AdapterError =>
  new AdapterError('name-server-unavailable', 'The name server does not answer for all zones', {
    cause: new Error(`Not as it should be: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`)
  })
