import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { setOomScore } from './oom-score.ts'
import { run } from './run.ts'

test('sets the score of a process and its children; undefined after it has ended', async () => {
  const shell = spawn('sh', ['-c', 'read line; cat /proc/self/oom_score_adj; read line'], {
    stdio: ['pipe', 'pipe', 'ignore']
  })
  const ended = once(shell, 'exit')
  setOomScore(shell.pid!, 345)
  shell.stdin.write('\n')
  const [score] = (await once(shell.stdout, 'data')) as [Buffer]
  expect(String(score)).toBe('345\n')
  setOomScore(shell.pid!, -500)
  expect([-500, 345]).toContain(Number(await readFile(`/proc/${shell.pid}/oom_score_adj`, 'utf8')))
  shell.stdin.end()
  await ended
  setOomScore(shell.pid!, 345)
})

test('tools get a higher score than database engines', async () => {
  const { stdout } = await run(['sh', '-c', 'sleep 0.2; cat /proc/self/oom_score_adj'], { timeoutMs: 10_000 })
  expect(stdout).toBe('300\n')
})
