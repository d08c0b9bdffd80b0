// What a component puts into its place on the page: made once, given whatever is new, and taken away with the place.

export function keepIn(placed, { parentElement, data, setStateValue }, create) {
  if (!placed.has(parentElement)) placed.set(parentElement, create(parentElement));
  const one = placed.get(parentElement);
  one.tell = setStateValue;
  one.update(data);
  return () => {
    one.close();
    one.root.remove();
    placed.delete(parentElement);
  };
}
