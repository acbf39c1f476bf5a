interface InputProps {
  value?: unknown
  defaultValue?: unknown
  onChange(value: unknown): void
}

/** Props of a select for a member that may be null: the empty choice stands for null. */
export const optionalChoice = <Props extends InputProps>({ defaultValue, onChange, ...props }: Props) => ({
  ...props,
  defaultValue: (defaultValue as string | null | undefined) ?? '',
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(currentTarget.value === '' ? null : currentTarget.value)
})
