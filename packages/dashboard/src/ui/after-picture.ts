/** When what is drawn now has been seen. A page that nobody looks at is not drawn, and does not wait for it. */
export function afterPicture(run: () => void): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}
