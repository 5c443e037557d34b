/** Asks again and again, with pauses in which what is waited for can happen, until it does. */
export async function until(holds: () => boolean | Promise<boolean>, pauseMs = 10): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
