import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findProcesses } from './find-processes.ts'

const isRoot = process.getuid?.() === 0
// A shell that waits on stdin, under a name and argument of our choice.
const imitate = (argument: string) => ['bash', '-c', `exec -a panel-imitated sh -c 'echo up; read line' ${argument}`]

async function start(argv: string[]) {
  const child = spawn(argv[0]!, argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}

test('finds a process by program and argument', async () => {
  const child = await start(imitate('/etc/found.cfg'))
  expect(await findProcesses('panel-imitated', '/etc/found.cfg')).toEqual(new Map([[child.pid, process.pid]]))
  child.stdin.end()
  await once(child, 'exit')
  expect(await findProcesses('panel-imitated', '/etc/found.cfg')).toEqual(new Map())
})

test.skipIf(!isRoot)('what a container calls itself does not make it a server of ours', async () => {
  const child = await start(['unshare', '--pid', '--fork', '--kill-child', ...imitate('/etc/contained.cfg')])
  expect(await findProcesses('panel-imitated', '/etc/contained.cfg')).toEqual(new Map())
  child.stdin.end()
  await once(child, 'exit')
})
