import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, report } from './figures.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'

/** Start to first 200 on an initialised folder, and memory when idle. */
export async function benchStart(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-bench-'))
  try {
    await (await serve(dataDir)).stop()
    const starts: number[] = []
    const memories: number[] = []
    for (let round = 0; round < 5; round++) {
      const panel = await serve(dataDir)
      starts.push(panel.startMs)
      await step('idle for 8 s', () => sleep(8_000))
      memories.push(await residentMegabytes(panel.child.pid!))
      await panel.stop()
    }
    report('start to first 200, median of 5', `${median(starts).toFixed(0)} ms`, {
      value: median(starts) / 1000,
      aim: '<= 1x of 1 s'
    })
    report('idle memory (RSS), median of 5', `${median(memories).toFixed(0)} MB`, {
      value: median(memories) / 120,
      aim: '<= 1x of 120 MB'
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024
}
