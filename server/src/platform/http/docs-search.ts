/** Search of the documentation. Runs in the browser: `searchScript` contains the source of `rankPages`. */
export type SearchEntry = {
  kind: 'guide' | 'error' | 'reference'
  slug: string
  title: string
  headings: { text: string }[]
  text: string
}

/**
 * Every word must match; a title weighs more than a heading, a heading more than the text. An entry with exactly this
 * title comes first, then up to eight guides, because they explain what error codes and operations only name.
 */
export function rankPages<E extends SearchEntry>(pages: readonly E[], query: string): E[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scoreOf = ({ title, headings, text }: E): number => {
    let sum = 0
    for (const word of words) {
      const score =
        (title.toLowerCase().includes(word) ? 8 : 0) +
        (headings.some((heading) => heading.text.toLowerCase().includes(word)) ? 4 : 0) +
        (text.toLowerCase().includes(word) ? 1 : 0)
      if (score === 0) return 0
      sum += score
    }
    return sum
  }
  const found = pages
    .map((page) => ({ page, score: scoreOf(page), isExact: page.title.toLowerCase() === words.join(' ') }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const exact = found.filter(({ isExact }) => isExact)
  const others = found.filter(({ isExact }) => !isExact)
  const guides = others.filter(({ page }) => page.kind === 'guide')
  const rest = others.filter(({ page }) => page.kind !== 'guide')
  return [...exact, ...guides.slice(0, 8), ...rest].slice(0, 12).map(({ page }) => page)
}

export const searchScript = `document.querySelector('nav details').open=matchMedia('(min-width:48.01rem)').matches
const box=document.querySelector('#search'),hits=document.querySelector('#hits'),base=box.dataset.base;let pages
const rankPages=${rankPages.toString()}
const near=(text,word)=>{const at=Math.max(0,text.toLowerCase().indexOf(word)-40);return text.slice(at,at+120)}
const lineOf=(first,second)=>{const item=document.createElement('li'),text=document.createElement('small');text.textContent=second;item.append(first,text);return item}
box.addEventListener('input',async()=>{pages??=await(await fetch(base+'/docs/search.json')).json();const query=box.value.trim(),found=rankPages(pages,query)
if(query!==''&&found.length===0){hits.replaceChildren(lineOf('Nothing found for “'+query+'”.','Try one word, or choose a page below.'));return}
hits.replaceChildren(...found.map(page=>{const link=document.createElement('a');link.href=base+'/docs/'+page.slug;link.textContent=page.title;return lineOf(link,near(page.text,query.toLowerCase().split(/\\s+/)[0]))}))})`
