import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError, program } from './context.ts'

/** Which project a folder belongs to. Holds no secret, so that it can be committed. */
export interface Link {
  url: string
  projectId: string
  name: string
}

const fileOf = (folder: string): string => join(folder, '.panel', 'project.json')

/** The link of this folder or of the nearest one above it. */
export async function findLink(folder: string): Promise<(Link & { file: string }) | undefined> {
  const file = fileOf(folder)
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined
    throw cause
  })
  if (text !== undefined) return { ...parse(text, file), file }
  const above = dirname(folder)
  return above === folder ? undefined : findLink(above)
}

export async function writeLink(folder: string, link: Link): Promise<string> {
  const file = fileOf(folder)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(link, null, 2)}\n`)
  return file
}

function parse(text: string, file: string): Link {
  try {
    const { url, projectId, name } = JSON.parse(text) as Partial<Link>
    if ([url, projectId, name].every((value) => typeof value === 'string')) return { url, projectId, name } as Link
  } catch {
    // Reported below.
  }
  throw new CommandError(`${file} is invalid. Run ${program} link <project>`)
}
