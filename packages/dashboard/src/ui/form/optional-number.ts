import type { NumberInputProps } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

/** For a NumberInput that may be empty: Mantine’s '' becomes null. */
export function optionalNumber({ defaultValue, onChange, ...props }: GetInputPropsReturnType): NumberInputProps {
  const take = onChange as (value: number | null) => void
  return {
    ...props,
    ...(typeof defaultValue === 'number' && { defaultValue }),
    onChange: (value) => take(typeof value === 'number' ? value : null)
  }
}
