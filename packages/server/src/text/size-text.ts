const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Powers of 1024 with decimal names, like the dashboard: 1.4 GB. */
export function sizeText(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`
}
