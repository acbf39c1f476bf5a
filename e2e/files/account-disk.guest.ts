import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLocalAccountDisk } from '../../packages/server/src/infra/account-disk/local-account-disk.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'

// Runs under the kernel of quota-kernel.ts; the test checks its output. Arguments: device, mount options.
const [device, options] = process.argv.slice(2)
const execute = promisify(execFile)
const mebibyte = 2 ** 20
const [ann, bob] = [20_001, 20_002]
const projectsDirectory = '/mnt/projects'

await mkdir(projectsDirectory)
await execute('mount', ['-o', options!, device!, projectsDirectory])
for (const uid of [ann, bob]) {
  const directory = join(projectsDirectory, 'u', String(uid))
  await mkdir(directory, { recursive: true })
  await execute('chown', [String(uid), directory])
}
const disk = createLocalAccountDisk({ run, projectsDirectory })
const write = async (uid: number, name: string, megabytes: number) => {
  const path = join(projectsDirectory, 'u', String(uid), name)
  const command = ['dd', 'if=/dev/zero', `of=${path}`, 'bs=64k', `count=${megabytes * 16}`, 'conv=fsync']
  try {
    await execute('setpriv', ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--', ...command])
    return 'all of it'
  } catch (error) {
    return /(Disk quota exceeded|No space left on device)/.exec((error as Error).message)?.[0] ?? String(error)
  }
}
const used = async () => [...(await disk.measure([ann, bob])).values()].map((bytes) => Math.round(bytes / mebibyte))
const message: Record<string, unknown> = {
  isLimited: await disk.isLimited(),
  covers: await disk.covers(join(projectsDirectory, 'u'))
}

message.first = [await write(ann, 'a', 8), await write(bob, 'a', 8), await used()]
await disk.limit(new Map([[ann, 10 * mebibyte], [bob, null]])) // oxfmt-ignore
message.limited = [await write(ann, 'b', 8), await write(bob, 'b', 8), await used()]
await writeFile(join(projectsDirectory, 'u', String(bob), 'c'), Buffer.alloc(4 * mebibyte))
await execute('chown', [String(bob), join(projectsDirectory, 'u', String(bob), 'c')])
message.given = await used()
await disk.limit(new Map([[ann, null]]))
message.unlimited = [await write(ann, 'd', 8), await used()]
process.stdout.write(`${JSON.stringify(message)}\n`)
