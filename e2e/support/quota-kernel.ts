import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/**
 * Why user-mode Linux cannot run here, or undefined. Its register area is too small for AMX, so it dies with the first
 * process.
 */
export async function findQuotaKernelProblem(): Promise<string | undefined> {
  const processor = await readFile('/proc/cpuinfo', 'utf8')
  return /^flags\b.*\bamx_tile\b/m.test(processor) ? 'user-mode-linux cannot run on a processor with AMX' : undefined
}

/**
 * Runs a program as root under user-mode Linux, which supports quotas. It sees this machine's files and the images as
 * /dev/ubda and /dev/ubdb. Resolves with stdout.
 */
export async function runUnderQuotaKernel(command: readonly string[], images: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-uml-'))
  const [init, output] = [join(directory, 'init'), join(directory, 'output')]
  await writeFile(
    init,
    `#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
modules=/usr/lib/uml/modules/$(uname -r)/kernel/fs/quota
insmod $modules/quota_tree.ko && insmod $modules/quota_v2.ko
mount -t tmpfs tmpfs /mnt
${command.map(quoted).join(' ')} >${quoted(output)} 2>&1
echo "exit $?" >>${quoted(output)}
sync
poweroff -f
`
  )
  await chmod(init, 0o755)
  try {
    const disks = images.map((image, index) => `ubd${index}=${image}`)
    const args = ['mem=1G', 'rootfstype=hostfs', 'rootflags=/', 'rw', `init=${init}`, 'con=null', 'con0=null', ...disks]
    const kernel = spawn('linux.uml', [...args, `umid=panel-${process.pid}`], { stdio: 'ignore', timeout: 240_000 })
    await new Promise((resolve, reject) => kernel.on('error', reject).on('exit', resolve))
    return await readFile(output, 'utf8')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
