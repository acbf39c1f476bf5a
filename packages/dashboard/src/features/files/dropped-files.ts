import { joinPath, parentOf } from './paths.ts'

export interface Found {
  file?: File
  folder: string
}

/** Expands dropped folders. Reads the entries before the first await, because the browser clears the event. */
export async function droppedFiles(transfer: Pick<DataTransfer, 'items'>): Promise<Found[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  return (await Promise.all(entries.map((entry) => filesIn(entry, '')))).flat()
}

async function filesIn(entry: FileSystemEntry, folder: string): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, folder }]
  }
  const own = joinPath(folder, entry.name)
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: Found[] = []
  let isEmpty = true
  // Returns up to 100 entries per call; an empty batch ends.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return isEmpty ? [{ folder: own }] : found
    isEmpty = false
    for (const child of some) found.push(...(await filesIn(child, own)))
  }
}

export const chosenFiles = (files: Iterable<File>): Found[] =>
  [...files].map((file) => ({ file, folder: parentOf(file.webkitRelativePath) }))
