import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../process/process.ts'
import { inspectServerFirewall } from './inspect.ts'
import { renderServerTable } from './server-ruleset.render.ts'

let directory: string
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'panel-inspect-'))))
afterEach(() => rm(directory, { recursive: true, force: true }))

const names = { table: 'panel_0123456789_server', bridgePrefix: 'pn012345' }
const stored = renderServerTable(names, { defaultAction: 'DENY', rules: [] })
const tried = renderServerTable(names, { defaultAction: 'ALLOW', rules: [] })
const chain = (name: string, values: object = {}) => ({ chain: { family: 'inet', table: names.table, name, handle: 1, ...values } }) // oxfmt-ignore
const inspect = (...chains: object[]) => {
  const run: Run = async () => ({ stdout: JSON.stringify({ nftables: [{ metainfo: {} }, ...chains] }), stderr: '' })
  return inspectServerFirewall({ directory, run })
}
const write = (file: string, text: string) => writeFile(join(directory, file), `# change 1\n${text}`)

test('a firewall that was never on', async () => {
  await rm(directory, { recursive: true })
  expect(await inspect()).toEqual({ state: 'off', others: [] })
})

test('rules that are loaded, missing and off', async () => {
  await write('confirmed.nft', stored.text)
  expect((await inspect(chain(stored.chain))).state).toBe('loaded')
  expect((await inspect(chain(tried.chain))).state).toBe('missing')
  await write('confirmed.nft', renderServerTable(names, undefined).text)
  expect((await inspect()).state).toBe('off')
})

test('a change on trial', async () => {
  await write('confirmed.nft', stored.text)
  await write('trial-1.nft', tried.text)
  expect((await inspect(chain(tried.chain))).state).toBe('trial')
})

test('chains of other tools that drop connections', async () => {
  const filter = { family: 'ip', table: 'filter' }
  const found = await inspect(
    chain('INPUT', { ...filter, hook: 'input', policy: 'drop' }),
    chain('FORWARD', { ...filter, hook: 'forward', policy: 'drop' }),
    chain('OUTPUT', { ...filter, hook: 'output', policy: 'accept' }),
    chain('incoming', { hook: 'prerouting', policy: 'drop' })
  )
  expect(found.others).toEqual(['ip filter INPUT'])
})
