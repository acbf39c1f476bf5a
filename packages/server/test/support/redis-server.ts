import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './ports.ts'

export interface RedisServer {
  url: string
  start(): Promise<void>
  /** As kill -9; `start` brings it back on the same port, empty. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** A redis-server on a free loopback port; not started yet. */
export async function createRedisServer(): Promise<RedisServer> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let directory: string | undefined
  const server: RedisServer = {
    url,
    async start() {
      directory ??= await mkdtemp(join(tmpdir(), 'panel-redis-'))
      const args = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--daemonize',
        'no',
        '--dir',
        directory
      ]
      child = spawn('redis-server', args, { stdio: 'ignore' })
      await answers(url)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async close() {
      await server.kill()
      if (directory !== undefined) await rm(directory, { recursive: true, force: true })
    }
  }
  return server
}

async function answers(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 })
  redis.on('error', () => {})
  try {
    await redis.ping()
  } finally {
    redis.disconnect()
  }
  await sleep(0)
}
