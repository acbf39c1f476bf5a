import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * The only place where tests choose ports. Each process locks its own ranges, so that workers and concurrent runs never
 * collide. They lie below ip_local_port_range, whose ports can be taken between choice and use.
 */
const maxProcesses = 16
const containers = { first: 10_000, perProcess: 1_200, perPanel: 50 }
const programs = { first: 30_050, perProcess: 160 }

let claimed: Promise<Ranges> | undefined

interface Ranges {
  nextProgramPort(): number
  nextContainerPort(): number
}

/** A port that is free for TCP and UDP and given to no other test. */
export async function freePort(): Promise<number> {
  claimed ??= claimRanges()
  const { nextProgramPort } = await claimed
  for (let tries = 0; tries < programs.perProcess; tries++) {
    const port = nextProgramPort()
    if ((await isFree(port)) && (await isFreeForUdp(port))) return port
  }
  throw new Error('Every port of this test process is taken')
}

/** Ports of a panel's containers. Another range is taken if a container that an interrupted run left listens in this one. */
export async function containerPorts(): Promise<{ first: number; last: number }> {
  claimed ??= claimRanges()
  const { nextContainerPort } = await claimed
  for (let tries = 0; tries < containers.perProcess / containers.perPanel; tries++) {
    const first = nextContainerPort()
    const ports = Array.from({ length: containers.perPanel }, (_, index) => first + index)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return { first, last: ports.at(-1)! }
  }
  throw new Error('Every range of container ports of this test process is taken')
}

/** The owner listens on the first port of its range, so the kernel arbitrates and releases it on exit. */
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
