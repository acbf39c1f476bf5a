import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine as MachineView, MachineKey } from '@panel/contract/machines'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createMachine, type Machine } from './machine.ts'
import type { Client } from './panel.ts'
import { until } from './poll.ts'
import { kill } from './processes.ts'
import { makeRootDirectory } from './root-directory.ts'

const port = 2222

/** A machine with an engine and an SSH server, as an administrator has it before the panel gets to know it. */
export interface SshMachine extends Machine {
  port: number
  hostKey: string
  /** Appends it to authorized_keys. */
  allow(publicKey: string): Promise<void>
  engineVersion(): Promise<string>
  /** Ends the SSH server and all of its sessions at once, and starts it again. */
  restartSshd(): Promise<void>
  /** Kills the engine alone; what runs in its containers runs on. */
  killEngine(): void
  /** Resolves when it responds. */
  startEngine(): Promise<void>
  /** Starts the engine and the SSH server again after the power was cut. */
  boot(): Promise<void>
  /** Without a word to either side. */
  cutOff(): Promise<void>
  reconnect(): Promise<void>
  /** Adds it to a panel that may sign in. */
  addTo(admin: Client, name: string): Promise<MachineView>
}

export async function createSshMachine(): Promise<SshMachine> {
  const directory = await makeRootDirectory()
  const path = (name: string) => join(directory, name)
  await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', path('host_key')], { timeoutMs: 10_000 })
  const hostKey = (await readFile(path('host_key.pub'), 'utf8')).split(' ', 2).join(' ')
  await mkdir(path('home/.ssh'), { recursive: true, mode: 0o700 })
  await writeFile(path('home/.ssh/authorized_keys'), '')
  const machine = await createMachine([])
  // Without this machine's .bashrc, which the shell of each command reads.
  await machine.run('mount', '--bind', path('home'), '/root')
  await machine.run('cp', path('host_key'), '/etc/ssh/ssh_host_ed25519_key')
  await machine.run('cp', path('host_key.pub'), '/etc/ssh/ssh_host_ed25519_key.pub')
  const start = (...argv: string[]) => {
    const [file, ...args] = machine.enter(...argv)
    return spawn(file, args, { stdio: 'ignore' })
  }
  const engineVersion = () => machine.run('docker', 'version', '--format', '{{.Server.Version}}').catch(() => '')
  let sshd: ChildProcess | undefined
  let engine: ChildProcess | undefined
  /** Again if it exits, as systemd does. */
  async function startEngine(): Promise<void> {
    const version = () => {
      if (!engine || engine.exitCode !== null || engine.signalCode !== null) engine = start('dockerd', '--live-restore')
      return engineVersion()
    }
    await until(version, (found) => found !== '')
  }
  async function startSshd(): Promise<void> {
    await mkdir(machine.runtimePath('/run/sshd'), { recursive: true })
    const lines = [
      `Port ${port}`,
      `ListenAddress ${machine.address}`,
      'HostKey /etc/ssh/ssh_host_ed25519_key',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      `PidFile ${path('sshd.pid')}`,
      // As in Debian's file.
      'Include /etc/ssh/sshd_config.d/*.conf'
    ]
    await writeFile(path('sshd_config'), `${lines.join('\n')}\n`)
    await machine.run('cp', path('sshd_config'), '/etc/ssh/sshd_config')
    sshd = start('/usr/sbin/sshd', '-D', '-e')
  }
  async function killSshd(): Promise<void> {
    sshd?.kill('SIGKILL')
    for (const pid of await machine.pids())
      if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).startsWith('sshd: root'))
        kill(pid, 'SIGKILL')
  }
  const allow = (publicKey: string) =>
    appendFile(path('home/.ssh/authorized_keys'), `restrict,port-forwarding ${publicKey}\n`)
  await startEngine()
  await startSshd()
  return {
    ...machine,
    port,
    hostKey,
    allow,
    engineVersion,
    async restartSshd() {
      await killSshd()
      await startSshd()
    },
    killEngine: () => void engine?.kill('SIGKILL'),
    startEngine,
    async boot() {
      await machine.run('nft', 'flush', 'ruleset') // Rules are lost with the power.
      await startEngine()
      await startSshd()
    },
    cutOff: async () => void (await machine.run('ip', 'link', 'set', 'uplink', 'down')),
    reconnect: async () => void (await machine.run('ip', 'link', 'set', 'uplink', 'up')),
    async addTo(admin, name) {
      await allow((await admin.call<MachineKey>('GET', '/machine-key')).publicKey)
      return admin.call<MachineView>('POST', '/machines', { name, host: machine.address, port, hostKey })
    },
    async remove() {
      await machine.remove()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
