import { type ContainerSize, type SizePreset, sizePresets } from '@panel/contract/project-sizes'

export type SizeChoice = SizePreset | 'server' | 'custom'

export function sizeChoiceOf(size: ContainerSize | null): SizeChoice {
  if (size === null) return 'server'
  const found = Object.entries(sizePresets).find(
    ([, { memoryMb, cpus, pids }]) => memoryMb === size.memoryMb && cpus === size.cpus && pids === size.pids
  )
  return (found?.[0] as SizePreset | undefined) ?? 'custom'
}
