import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { FileTree } from '../../infra/file-store/file-store.ts'
import { wordpressDebugMarker as debugMarker } from '../../infra/image-builder/image-builder.ts'
import { projectTree } from '../files/project-files.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { ownersPage } from './maintenance.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

const maintenanceFile = '.maintenance'
const debugLog = 'wp-content/debug.log'
const tailBytes = 64 * 1024

export const siteTree = (deps: Deps, project: ProjectRow): Promise<FileTree> =>
  projectTree(deps, project, { protects: 'nothing' })

export async function readSwitches(tree: FileTree): Promise<{ maintenance: boolean; debugLog: boolean }> {
  return { maintenance: await isThere(tree, maintenanceFile), debugLog: await isThere(tree, debugMarker) }
}

export const setMaintenance = (tree: FileTree, isOn: boolean): Promise<void> =>
  isOn ? showMaintenance(tree, ownersPage) : removeIfThere(tree, maintenanceFile)

export async function showMaintenance(tree: FileTree, page: string): Promise<void> {
  await tree.write(maintenanceFile, page, { mode: 'replace' })
}

export async function setDebugLog(tree: FileTree, isOn: boolean): Promise<void> {
  if (isOn) await tree.write(debugMarker, '', { mode: 'replace' })
  else await removeIfThere(tree, debugMarker)
}

/** The end of the log. Its first line may be cut. */
export async function readDebugLog(tree: FileTree): Promise<{ size: number; text: string }> {
  const file = await ifThere(tree.open(debugLog))
  if (!file) return { size: 0, text: '' }
  const { size } = file.file
  if (size === 0) {
    await file.close()
    return { size, text: '' }
  }
  const chunks: Buffer[] = []
  for await (const chunk of file.stream({ start: Math.max(0, size - tailBytes), end: size - 1 })) chunks.push(chunk as Buffer) // oxfmt-ignore
  return { size, text: Buffer.concat(chunks).toString('utf8').replaceAll('\0', '') }
}

const isThere = async (tree: FileTree, path: string): Promise<boolean> => (await ifThere(tree.stat(path))) !== undefined

async function removeIfThere(tree: FileTree, path: string): Promise<void> {
  await ifThere(tree.remove(path))
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AdapterError && ['file-not-found', 'not-a-file', 'path-forbidden'].includes(error.kind))
      return undefined
    throw error
  }
}
