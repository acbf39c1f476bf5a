import { expect, test, vi } from 'vitest'
import type { Run } from '../infra/process/process.ts'
import { createServiceNotifier } from './service-notifier.ts'

function recorded() {
  const calls: (readonly string[])[] = []
  const run = (async (argv: readonly string[]) => {
    calls.push(argv.slice(1))
    return { stdout: '', stderr: '' }
  }) as unknown as Run
  return { calls, run }
}

test('notifies in order, and answers the watchdog only between ready and stopping', async () => {
  vi.useFakeTimers()
  try {
    const { calls, run } = recorded()
    const service = createServiceNotifier({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '180000000' }, run)
    service.status('Installing')
    await vi.advanceTimersByTimeAsync(200_000)
    expect(calls).toEqual([['STATUS=Installing']])
    service.ready()
    await vi.advanceTimersByTimeAsync(125_000)
    service.stopping()
    await vi.advanceTimersByTimeAsync(200_000)
    expect(calls.slice(1)).toEqual([
      ['READY=1', 'STATUS=Running'],
      ['WATCHDOG=1'],
      ['WATCHDOG=1'],
      ['STOPPING=1', 'STATUS=Stopping']
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('does nothing outside of a service', async () => {
  const { calls, run } = recorded()
  createServiceNotifier({}, run).ready()
  await Promise.resolve()
  expect(calls).toEqual([])
})
