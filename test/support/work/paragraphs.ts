/** A paragraph in each of some languages, long enough for its language to be detected. */
export const PARAGRAPHS = {
  en: "On market days the ferry was so full that the farmers had to leave their carts behind. They paid a boy to watch the horses, crossed the river with their baskets on their knees, and were back before the bells rang at noon.",
  de: "An Markttagen war die Fähre so voll, dass die Bauern ihre Karren am Ufer stehen lassen mussten. Sie bezahlten einen Jungen, der auf die Pferde achtete, fuhren mit den Körben auf den Knien über den Fluss und waren vor dem Mittagsläuten zurück.",
  fr: "Les jours de marché, le bac était si plein que les paysans devaient laisser leurs charrettes sur la rive. Ils payaient un garçon pour garder les chevaux, traversaient la rivière avec leurs paniers sur les genoux et rentraient avant midi.",
  es: "Los días de mercado la barca iba tan llena que los campesinos tenían que dejar sus carros en la orilla. Pagaban a un muchacho para que cuidara los caballos, cruzaban el río con las cestas sobre las rodillas y volvían antes del mediodía.",
  pl: "W dni targowe prom był tak pełny, że chłopi musieli zostawiać swoje wozy na brzegu. Płacili chłopcu za pilnowanie koni, przeprawiali się przez rzekę z koszami na kolanach i wracali, zanim w południe zabiły dzwony.",
  ru: "В базарные дни паром был так полон, что крестьянам приходилось оставлять телеги на берегу. Они платили мальчику за то, чтобы он стерёг лошадей, переправлялись через реку с корзинами на коленях и возвращались до полудня.",
  ja: "市の立つ日には渡し船がとても混んでいたので、農民たちは荷車を岸に残していかなければならなかった。彼らは馬の番をする少年に小銭を払い、籠を膝に載せて川を渡り、正午の鐘が鳴る前に戻ってきた。",
} as const;
