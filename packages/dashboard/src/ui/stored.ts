/** What this browser keeps beyond the page; where storage is switched off, nothing. */
export const stored = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Switched off, or full: it is as if nothing had been kept.
    }
  }
}
