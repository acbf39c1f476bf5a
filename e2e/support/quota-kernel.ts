import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Quotes a word for the shell of the script below, whose words are all the test's own. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/**
 * Why that kernel cannot run on this processor; undefined where it can. It keeps the registers of a process in a space of fixed size, which AMX
 * goes beyond: then it ends as its first process begins.
 */
export async function findQuotaKernelProblem(): Promise<string | undefined> {
  const processor = await readFile('/proc/cpuinfo', 'utf8')
  return /^flags\b.*\bamx_tile\b/m.test(processor) ? 'user-mode-linux cannot run on a processor with AMX' : undefined
}

/**
 * Runs a program as root under Debian's kernel as a program (user-mode-linux), which has quotas where the machine's own may have none. It
 * sees this machine's files, and the images as /dev/ubda, /dev/ubdb. Resolves with what it wrote to standard output.
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
