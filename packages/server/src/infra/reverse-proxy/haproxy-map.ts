import { AdapterError } from '../adapter-error.ts'
import type { RouteTable } from './route-map.render.ts'

export type Send = (command: string) => Promise<string>

// A payload must fit into one buffer of 32 KiB (tune.bufsize); smaller chunks let the proxy serve requests in between.
const chunkBytes = 12_000

/**
 * `set map` first: a second `add map` creates a duplicate that loses, and del + add leaves a gap. Resolves with whether
 * a lookup finds the value, because after an abandoned `prepare map` the commands succeed without effect.
 */
export async function setMapEntry(send: Send, map: string, key: string, value: string): Promise<boolean> {
  const lookUp = `get map ${map} ${key}`
  const answer = await send(`set map ${map} ${key} ${value}; ${lookUp}`)
  const missing = answer.startsWith('entry not found')
  const result = missing ? await send(`add map ${map} ${key} ${value}; ${lookUp}`) : answer
  return result.includes(`key="${key}", value="${value}"`)
}

/** Removes an entry; resolves with whether a lookup no longer finds it. */
export async function removeMapEntry(send: Send, map: string, key: string): Promise<boolean> {
  const answer = await send(`del map ${map} ${key}; get map ${map} ${key}`)
  return answer.includes('found=') && !answer.includes(`key="${key}"`)
}

/** All running entries; undefined if one is duplicated or malformed. */
export async function readMap(send: Send, map: string): Promise<RouteTable | undefined> {
  const lines = (await send(`show map ${map}`)).split('\n').filter((line) => line !== '')
  const live: RouteTable = new Map()
  for (const line of lines) {
    const [, key, value] = line.split(' ')
    if (key !== undefined && value !== undefined) live.set(key, value)
  }
  return live.size === lines.length ? live : undefined
}

export async function mapEquals(send: Send, map: string, table: RouteTable): Promise<boolean> {
  const live = await readMap(send, map)
  return live?.size === table.size && [...table].every(([key, value]) => live.get(key) === value)
}

/** Atomic. Retries once, because after a reload the new process does not know the prepared version. */
export async function replaceMap(send: Send, map: string, table: RouteTable): Promise<void> {
  const problem = await tryReplaceMap(send, map, table)
  if (problem === undefined) return
  const problemAgain = await tryReplaceMap(send, map, table)
  if (problemAgain === undefined) return
  throw new AdapterError('reverse-proxy-unavailable', 'The reverse proxy rejected a change', {
    cause: new Error(`${problem}; then ${problemAgain}`)
  })
}

async function tryReplaceMap(send: Send, map: string, table: RouteTable): Promise<string | undefined> {
  const prepared = await send(`prepare map ${map}`)
  const version = /^New version created: ([0-9]+)$/.exec(prepared)?.[1]
  if (version === undefined) return `prepare map: ${prepared.slice(0, 500)}`
  const additions = chunks(table).map((lines) => `add map @${version} ${map} <<\n${lines}`)
  for (const command of [...additions, `commit map @${version} ${map}`]) {
    const answer = await send(command)
    if (answer !== '') return `${command.slice(0, 8)}: ${answer.slice(0, 500)}`
  }
  return undefined
}

/** Lines in chunks of at most `chunkBytes`; the client's final line feed adds the blank line that ends a payload. */
function chunks(table: RouteTable): string[] {
  const result: string[] = []
  let lines = ''
  for (const [key, value] of table) {
    const line = `${key} ${value}\n`
    if (lines.length + line.length > chunkBytes) {
      result.push(lines)
      lines = ''
    }
    lines += line
  }
  if (lines !== '') result.push(lines)
  return result
}
