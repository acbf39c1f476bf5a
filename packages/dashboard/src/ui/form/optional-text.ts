interface InputProps {
  value?: unknown
  defaultValue?: unknown
  onChange(value: unknown): void
}

/** Props of a text field or select for a member that may be null: empty stands for null. */
export const optionalText = <Props extends InputProps>({ defaultValue, onChange, ...props }: Props) => ({
  ...props,
  defaultValue: (defaultValue as string | null | undefined) ?? '',
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(currentTarget.value === '' ? null : currentTarget.value)
})
