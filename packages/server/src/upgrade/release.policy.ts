import { isNewer } from '../features/updates/version.policy.ts'

export interface Release {
  version: string
  /** As Node.js names it: linux-x64. */
  platform: string
}

/** File name and version of minisign's trusted comment, which is part of what is signed (scripts/sign-release.mjs). */
export function parseTrustedComment(comment: string): { file: string; version: string } | undefined {
  const found = /\bfile:(\S+) version:(\S+)/.exec(comment)
  return found ? { file: found[1]!, version: found[2]! } : undefined
}

export type ReleaseKind = 'archive' | 'package'

/** By the signed name: that of the download may be another. */
export function kindOfRelease(file: string): ReleaseKind | undefined {
  if (/^hosting-panel-[^/]+\.tar\.gz$/.test(file)) return 'archive'
  return /^hosting-panel_[^/]+\.deb$/.test(file) ? 'package' : undefined
}

interface Machine {
  version: string
  platform: string
  /** Whether this version brings its own Node.js, as in the Debian package. */
  hasOwnNode: boolean
  hasExternalStore: boolean
}

/** Why this release cannot follow the version that runs. */
export function releaseProblem(release: Release, kind: ReleaseKind, machine: Machine): string | undefined {
  if (release.platform !== machine.platform)
    return `The release is for ${release.platform}, and this server is ${machine.platform}. Use the release for ${machine.platform}.`
  if (!isNewer(release.version, machine.version))
    return `The release is version ${release.version}, and the panel is version ${machine.version}. Use a newer release.`
  if (machine.hasOwnNode && kind === 'archive')
    return 'This panel was installed from the Debian package, which includes Node.js. Use the Debian package of the release.'
  if (machine.hasExternalStore)
    return 'The database is set by DATABASE_URL, and the panel cannot restore it. Back it up, stop the panel, and start the new version (docs/install.md).'
  return undefined
}

// Unpacked code, and room for logs and migrations.
const unpackedFactor = 8
const reserveBytes = 500_000_000

export interface Room {
  archiveBytes: number
  storeBytes: number
  /** On the file system of the versions, and on that of the data directory. */
  freeForVersions: number
  freeForData: number
  isSameFileSystem: boolean
}

export function roomProblem(room: Room): string | undefined {
  const versions = room.archiveBytes * unpackedFactor
  const data = room.storeBytes * 2 + reserveBytes
  const problem = (bytes: number, free: number) =>
    free >= bytes ? undefined : `The upgrade needs ${gigabytes(bytes)} of disk space, and ${gigabytes(free)} are free. Free up disk space.` // oxfmt-ignore
  if (room.isSameFileSystem) return problem(versions + data, room.freeForData)
  return problem(versions, room.freeForVersions) ?? problem(data, room.freeForData)
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
