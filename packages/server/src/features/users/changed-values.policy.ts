export function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

export function changed<T extends object>(row: T, values: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== undefined && value !== row[key as keyof T])
  ) as Partial<T>
}
