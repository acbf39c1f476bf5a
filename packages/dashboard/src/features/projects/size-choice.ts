import { type ContainerSize, type SizePreset, sizePresets } from '@panel/contract/project-sizes'

export type SizeChoice = SizePreset | 'server' | 'custom'

export function sizeChoiceOf(size: ContainerSize | null): SizeChoice {
  if (size === null) return 'server'
  const found = Object.entries(sizePresets).find(
    ([, preset]) =>
      preset.memoryMb === size.memoryMb &&
      preset.cpus === size.cpus &&
      preset.pids === size.pids &&
      preset.diskMb === size.diskMb
  )
  return (found?.[0] as SizePreset | undefined) ?? 'custom'
}
