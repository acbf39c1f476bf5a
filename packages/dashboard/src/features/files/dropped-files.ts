import { joinPath, parentOf } from './paths.ts'

export interface Found {
  /** Undefined of an empty folder. */
  file?: File
  /** The folder it goes to, relative to where it was dropped. */
  folder: string
}

/** What was dropped, folders opened. The entries are taken before the first await: the event empties itself. */
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
  // A hundred at a time; none is the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return isEmpty ? [{ folder: own }] : found
    isEmpty = false
    for (const child of some) found.push(...(await filesIn(child, own)))
  }
}

/** Of a chooser: the keyboard's way to the same. */
export const chosenFiles = (files: Iterable<File>): Found[] =>
  [...files].map((file) => ({ file, folder: parentOf(file.webkitRelativePath) }))
