/** Runs after the next paint. A hidden page does not paint, so it does not wait. */
export function afterPicture(run: () => void): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}
