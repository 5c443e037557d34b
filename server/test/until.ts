/** Polls the condition with pauses until it holds. */
export async function until(holds: () => boolean | Promise<boolean>, pauseMs = 10): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
