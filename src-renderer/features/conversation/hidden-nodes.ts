import type { Element, ElementContent, Root, RootContent } from 'hast';
import { markHidden } from '../../ui/mark-hidden';

/** Marks of right-to-left and joined scripts belong to running text; in it only these are suspicious. */
const suspicious =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e0fff}]/u; // eslint-disable-line no-control-regex

function marked(text: string): ElementContent[] {
  return markHidden(text).map((piece): ElementContent => {
    if (piece.type === 'text') return { type: 'text', value: piece.text };
    const label = piece.type === 'hidden' ? piece.code : `${piece.count} ×`;
    return {
      type: 'element',
      tagName: 'mark',
      properties: { className: ['hidden-mark'] },
      children: [{ type: 'text', value: label }],
    };
  });
}

function visit(parent: Root | Element): void {
  const children: RootContent[] = [];
  for (const child of parent.children) {
    if (child.type === 'text' && suspicious.test(child.value)) {
      children.push(...marked(child.value));
      continue;
    }
    if (child.type === 'element') visit(child);
    children.push(child);
  }
  parent.children = children as typeof parent.children;
}

/** A rehype plugin: hidden characters in a model's text become visible marks. */
export function rehypeHiddenMarks() {
  return (tree: Root): void => visit(tree);
}
