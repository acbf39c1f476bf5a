import { readdir, readFile } from 'node:fs/promises'
import autocannon from 'autocannon'
import type { TestProxy } from '../e2e/domains/proxy.harness.ts'

const secondsPerRound = 4

/** Microseconds of processor time of HAProxy's worker for each request. */
export async function proxyCost(
  { httpPort, workerPid }: Pick<TestProxy, 'httpPort' | 'workerPid'>,
  host: string,
  path = '/'
): Promise<number> {
  const pid = await workerPid()
  const before = await processorSeconds(pid)
  const result = await autocannon({
    url: `http://127.0.0.1:${httpPort}${path}`,
    connections: 16,
    duration: secondsPerRound,
    headers: { host }
  })
  if (result.errors > 0) throw new Error(`${host}: ${result.errors} errors`)
  return (((await processorSeconds(pid)) - before) * 1e6) / result.requests.total
}

async function processorSeconds(pid: number): Promise<number> {
  // All of its threads, to the nanosecond.
  let sum = 0
  for (const thread of await readdir(`/proc/${pid}/task`))
    sum += Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[0])
  return sum / 1e9
}
