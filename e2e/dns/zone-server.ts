import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decode, type DecodedPacket, encode, type RecordType, streamDecode, streamEncode } from 'dns-packet'
import { until } from '../support/poll.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const execute = promisify(execFile)

/** Starts knotd with one zone, configured like the panel's. */
export async function startZoneServer(zoneName: string) {
  const directory = await mkdtemp(join(tmpdir(), 'zone-server-'))
  const port = await freePort()
  const file = join(directory, 'served.zone')
  const config = join(directory, 'knot.conf')
  const socket = join(directory, 'knot.sock')
  await mkdir(join(directory, 'db'))
  await writeFile(config, configOf({ directory, port, socket, file, zoneName }))
  const child = spawn('knotd', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log = (log + chunk).slice(-2_000)))
  // Otherwise a query would wait for a server that has exited.
  const gone = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`knotd has ended: ${String(code ?? signal)}\n${log}`)
  })
  gone.catch(() => {})
  const knotc = (...args: string[]) => execute('knotc', ['-s', socket, ...args])
  await until(
    () =>
      knotc('status').then(
        () => true,
        () => false
      ),
    (isUp) => isUp
  )
  return {
    /** Rejects if the server refuses the zone. */
    async load(text: string): Promise<void> {
      await writeFile(`${file}.new`, text)
      await rename(`${file}.new`, file)
      await knotc('-b', 'zone-reload', zoneName)
    },
    ask: (name: string, type: RecordType) => Promise.race([ask(port, name, type), gone]),
    async close() {
      await stop(child)
      await rm(directory, { recursive: true })
    }
  }
}

const configOf = (paths: Record<'directory' | 'socket' | 'file' | 'zoneName', string> & { port: number }) => `
server:
    listen: 127.0.0.1@${paths.port}
    rundir: ${paths.directory}
control:
    listen: ${paths.socket}
database:
    storage: ${paths.directory}/db
zone:
  - domain: ${paths.zoneName}
    storage: ${paths.directory}
    file: ${paths.file}
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
    serial-policy: dateserial
`

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

type DnsAnswer = DecodedPacket & { rcode: string }

async function ask(port: number, name: string, type: RecordType): Promise<DnsAnswer> {
  const query = { type: 'query' as const, id: 1, questions: [{ type, name }] }
  const socket = createSocket('udp4')
  try {
    socket.send(encode(query), port, '127.0.0.1')
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
    const answer = decode(message) as DnsAnswer
    if (!answer.flag_tc) return answer
  } finally {
    socket.close()
  }
  const connection = connect({ port, host: '127.0.0.1', signal: AbortSignal.timeout(20_000) })
  connection.write(streamEncode(query))
  const chunks: Buffer[] = []
  for await (const chunk of connection) {
    chunks.push(chunk as Buffer)
    const received = Buffer.concat(chunks)
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0))
      return streamDecode(received) as DnsAnswer
  }
  throw new Error('The connection ended before the answer')
}
