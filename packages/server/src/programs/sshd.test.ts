import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findListener } from './sshd.ts'

const isRoot = process.getuid?.() === 0
const directory = '/var/lib/panel-imitated/sftp'
const title = `sshd: /usr/sbin/sshd -D -e -f ${directory}/sshd_config [listener] 0 of 30-100 startups`
const imitation = ['bash', '-c', `exec -a "${title}" sh -c 'echo up; read line'`]

test.skipIf(!isRoot).each<[string, string[], boolean]>([
  ['a process of root’s', [], true],
  ['a container', ['unshare', '--pid', '--fork', '--kill-child'], false],
  ['another account of the machine', ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'], false]
])('whether %s is recognised as our SSH server by its title', async (_, wrapper, isTaken) => {
  const [file = '', ...args] = [...wrapper, ...imitation]
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  expect(await findListener(directory)).toBe(isTaken ? child.pid : undefined)
  child.stdin.end()
  await once(child, 'exit')
})
