import type { Files } from './git-repositories.ts'

const probe = `
import { lookup, reverse } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'

/** Little-endian hexadecimal, as the kernel writes it. */
export function gateway() {
  const line = readFileSync('/proc/net/route', 'utf8').split('\\n').map((row) => row.split('\\t')).find((row) => row[1] === '00000000')
  return [...Buffer.from(line[2], 'hex')].reverse().join('.')
}
export const tryConnect = (host, port) => new Promise((resolve) => {
  const socket = connect({ host: host === 'gateway' ? gateway() : host, port: Number(port), timeout: 3000 })
  socket.once('connect', () => resolve('connected'))
  socket.once('timeout', () => resolve('blocked: timeout'))
  socket.once('error', (error) => resolve('blocked: ' + error.code))
  socket.once('close', () => socket.destroy())
}).then((answer) => answer)
export const tryLookup = (name) => lookup(name, { family: 4 }).then(() => 'resolved', (error) => 'not resolved: ' + error.code)
export const tryReverse = (address) => reverse(address).then((names) => 'names: ' + names, (error) => 'none: ' + error.code)
export const tryGet = (port, host) => new Promise((resolve) => {
  const request = get({ host: gateway(), port: Number(port), headers: { host }, timeout: 5000, agent: false }, (response) => {
    response.resume()
    resolve('status ' + response.statusCode)
  })
  request.once('timeout', () => request.destroy(new Error('timeout')))
  request.once('error', (error) => resolve('blocked: ' + error.message))
})
export const tryFetch = (host, port) => new Promise((resolve) => {
  const request = get({ host, port: Number(port), timeout: 5000, agent: false }, async (response) => {
    let body = ''
    for await (const chunk of response) body += chunk
    resolve(response.statusCode + ' ' + body)
  })
  request.once('timeout', () => request.destroy(new Error('timeout')))
  request.once('error', (error) => resolve((error.syscall === 'getaddrinfo' ? 'not resolved: ' : 'blocked: ') + error.code))
})
const [, , kind, ...args] = process.argv
if (kind) {
  console.log('probe ' + kind + ' ' + args.join(' ') + ': ' + (await { connect: tryConnect, lookup: tryLookup, get: tryGet }[kind](...args)))
  process.exit(0)
}
`

const server = `
import { createServer } from 'node:http'
import { tryConnect, tryFetch, tryGet, tryLookup, tryReverse } from './probe.js'
createServer(async (request, response) => {
  const [, kind, ...args] = request.url.split('/')
  const work = { connect: tryConnect, lookup: tryLookup, reverse: tryReverse, get: tryGet, fetch: tryFetch }[kind]
  response.end(work ? await work(...args) : 'probing site')
}).listen(process.env.PORT, '0.0.0.0')
`

/** A site that connects to `/connect/<host>/<port>` on request and during its build. */
export const probingSite = (buildCommand = 'true', more: Record<string, unknown> = {}): Files => ({
  'package.json': JSON.stringify({
    name: 'site',
    private: true,
    type: 'module',
    scripts: { build: buildCommand, start: 'node server.js' },
    ...more
  }),
  'probe.js': probe,
  'server.js': server
})
