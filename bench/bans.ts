import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { createNftServerBans } from '../packages/server/src/infra/server-firewall/nft-server-bans.ts'
import type { Run } from '../packages/server/src/infra/process/process.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { median, report } from './figures.ts'

const execute = promisify(execFile)
const many = 10_000
const rounds = 5

const server = `require('net').createServer((socket) => socket.pipe(socket)).listen(9000, () => console.log('ready'))`
/** Prints the medians in µs of an exchange over an open connection, and of a connection with its first exchange. */
const client = `
const { connect } = require('net')
const { once } = require('events')
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1]
const open = async () => { const socket = connect(9000, '198.19.255.1'); await once(socket, 'connect'); return socket }
const exchange = async (socket) => { socket.write('x'); await once(socket, 'data') }
const time = async (times, work) => {
  const all = []
  for (let n = 0; n < times; n++) { const before = performance.now(); await work(); all.push((performance.now() - before) * 1000) }
  return median(all)
}
;(async () => {
  const socket = await open()
  const exchanges = await time(2000, () => exchange(socket))
  const connections = await time(300, async () => { const one = await open(); await exchange(one); one.destroy() })
  socket.destroy()
  console.log(JSON.stringify([exchanges, connections]))
})()`

/** What 10,000 bans cost the packets of others, in two network namespaces of their own. */
export async function benchBans(): Promise<void> {
  const [here, there] = [await openNamespace(), await openNamespace()]
  const child = spawn(here.enter[0], [...here.enter.slice(1), process.execPath, '-e', server], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const ends = [
      'name',
      'one',
      'netns',
      String(here.pid),
      'type',
      'veth',
      'peer',
      'name',
      'two',
      'netns',
      String(there.pid)
    ]
    await execute('ip', ['link', 'add', ...ends])
    for (const [{ inside }, name, number] of [
      [here, 'one', 1],
      [there, 'two', 2]
    ] as const) {
      await inside('ip', 'address', 'add', `198.19.255.${number}/30`, 'dev', name)
      await inside('ip', 'link', 'set', name, 'up')
    }
    await once(child.stdout, 'data')
    const inside: Run = (argv, options) => run([...here.enter, ...argv], options)
    const bans = createNftServerBans({ table: 'panel_bench_bans', bridgePrefix: 'pnbench', run: inside })
    const all = Array.from({ length: many }, (_, n) => ({ address: `10.0.${n >> 8}.${n & 255}`, seconds: 3600 }))
    const measure = async () => JSON.parse(await there.inside(process.execPath, '-e', client)) as [number, number]
    const figures: Record<number, [number, number][]> = { 1: [], [many]: [] }
    for (let round = 0; round < rounds; round++)
      for (const count of [1, many]) {
        await bans.apply(all.slice(0, count))
        figures[count]!.push(await measure())
      }
    for (const [index, name] of ['packet and its answer', 'connection'].entries()) {
      const [one, most] = [1, many].map((count) => median(figures[count]!.map((each) => each[index]!))) as [
        number,
        number
      ]
      report(`${name} beside ${many} bans`, `${most.toFixed(1)} / ${one.toFixed(1)} µs`, { value: most / one, aim: '<= 1.1x' }) // oxfmt-ignore
    }
    for (const [name, work] of [
      [`${many} bans loaded`, () => bans.apply(all)],
      ['one more', () => bans.add([{ address: '192.0.2.1', seconds: 60 }])]
    ] as const) {
      const before = performance.now()
      await work()
      report(name, `${(performance.now() - before).toFixed(0)} ms`)
    }
  } finally {
    child.kill('SIGKILL')
    here.close()
    there.close()
  }
}

async function openNamespace() {
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', 'echo ready && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--'] as const
  const inside = async (...argv: string[]) => (await execute(enter[0], [...enter.slice(1), ...argv])).stdout
  return { pid: holder.pid!, enter, inside, close: () => void holder.kill('SIGKILL') }
}
