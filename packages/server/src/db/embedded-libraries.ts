import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { exists } from '../infra/disk/exists.ts'

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages cannot contain symlinks, and install scripts are disabled (ADR 6). */
export async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!(await exists(list))) return
  const root = dirname(native)
  for (const { source, target } of Links.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const [from, to] = [resolve(root, source), resolve(root, target)]
    for (const path of [from, to])
      if (relative(native, path).startsWith('..')) throw new Error(`${list}: ${path} is outside of the package`)
    if (await exists(to)) continue
    await symlink(join(relative(dirname(to), dirname(from)), basename(from)), to).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error // Another panel in this checkout was faster.
      }
    )
  }
}
