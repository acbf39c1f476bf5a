import { type ProjectType, runtimeOf } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

/** Rejects a version that projects of the type cannot have with RUNTIME_VERSION_UNSUPPORTED (422). */
export function checkRuntimeVersion(type: ProjectType, version: string | null | undefined): void {
  const versions = runtimeOf[type]?.versions ?? []
  if (version === null || version === undefined || versions.includes(version)) return
  throw new AppError(
    'RUNTIME_VERSION_UNSUPPORTED',
    versions.length === 0 ? 'Projects of this type have no version to choose' : `Choose one of ${versions.join(', ')}`
  )
}
