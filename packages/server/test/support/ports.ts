import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/*
 * The only place where tests choose ports. Every process that runs tests has ranges of its own, held as long as it lives, so that neither
 * the workers of one run nor several runs on one machine meet. All lie below the range from which the kernel numbers outgoing connections
 * (ip_local_port_range): one of those might have a port between its choice and its use.
 */
const maxProcesses = 16
const containers = { first: 10_000, perProcess: 1_200, perPanel: 50 }
const programs = { first: 30_050, perProcess: 160 }

let claimed: Promise<Ranges> | undefined

interface Ranges {
  nextProgramPort(): number
  nextContainerPort(): number
}

/** A port that nothing of this machine has, over TCP or UDP, and that no other test gets. */
export async function freePort(): Promise<number> {
  claimed ??= claimRanges()
  const { nextProgramPort } = await claimed
  for (let tries = 0; tries < programs.perProcess; tries++) {
    const port = nextProgramPort()
    if ((await isFree(port)) && (await isFreeForUdp(port))) return port
  }
  throw new Error('Every port of this test process is taken')
}

/** For the containers of one panel: DEPLOY_PORT_RANGE_START and _END. */
export async function containerPorts(): Promise<{ first: number; last: number }> {
  claimed ??= claimRanges()
  const first = (await claimed).nextContainerPort()
  return { first, last: first + containers.perPanel - 1 }
}

/** The first port of a range is listened on by its owner, so that the kernel says who was first and lets go when the process ends. */
async function claimRanges(): Promise<Ranges> {
  for (let index = 0; index < maxProcesses; index++) {
    const lockPort = programs.first + index * programs.perProcess
    if (!(await hold(lockPort))) continue
    return {
      nextProgramPort: rotate(lockPort + 1, programs.perProcess - 1, 1),
      nextContainerPort: rotate(
        containers.first + index * containers.perProcess,
        containers.perProcess,
        containers.perPanel
      )
    }
  }
  throw new Error(`${maxProcesses} processes of tests run already: wait for one to end`)
}

function rotate(first: number, count: number, step: number): () => number {
  let next = 0
  return () => first + step * (next++ % Math.floor(count / step))
}

function hold(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind(port, '0.0.0.0', () => socket.close(() => resolve(true)))
  })
}
