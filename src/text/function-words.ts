/** Frequent words of languages with spaces between words, folded: text of these languages has many of them. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which",
    "were been their has would there who all will more when no if so what up about into than them can only some these",
    "two then my such our over me even most after also many before must through where your because each she you we",
    "der die das und ist nicht von mit den dem ein eine einer zu auf fur sich des im als auch es wie bei sie er ich wir aus",
    "nach wird sind oder aber war werden nur noch uber kann vor wenn durch um haben hat bis",
    "le la les de des du et est un une dans que qui pour pas sur par plus ce cette son sa ses au aux avec ne il elle nous",
    "ont sont mais ou comme leur tout etait lui entre",
    "el los las y en se del lo con una su al por como mas pero sus fue este esta ha para sin sobre ser tambien era hay",
    "o os e do da dos das em um uma nao na no com mais ao foi pelo pela sao ele isso",
    "il di che non per sono della dei nel piu gli delle alla anche questo ma si i come dal nella",
    "het een van dat te niet zijn op aan er maar om ook als dan naar bij uit nog deze door worden",
    "och att det som av ar till den pa inte har de ett jag var sig sa eller men vi kan efter ved til af ikke jeg med og",
    "ja on ei se etta oli han mutta kun kuin ovat tai joka myos niin sen",
    "nie sie jest na w z do i ze jak po od za przez czy dla tym tego byl co oraz ale jego sa",
    "je v s na ze to a se ktery jako byl pro by aby jsem tak uz az vsak",
    "az es hogy nem egy meg van volt ez csak mint de is ki el azt",
    "si cu care pentru din mai sau sunt pe un este nu fi prin",
    "bir ve bu icin ile de da olarak daha gibi cok ne kadar olan sonra",
    "yang dan di ini itu dengan untuk tidak dari dalam akan pada ada adalah oleh juga",
    "va cua la co khong cho nguoi mot cac nhung duoc trong",
    "и в не на что он с как это по но из у за от так о же к для его было все она до был мы бы при или если",
    "та що як це до від але були про який їх він вона и са да ќе се од што",
    "και το να του η της με που για στο την τον τα σε οι από απο είναι ειναι δεν",
    "من في على ان الى عن لا ما هذا مع هو التي الذي كان او هذه قد به",
    "של את על לא זה עם כי הוא אל או היא גם כל יש אם אבל",
  ]
    .join(" ")
    .split(" "),
);

/** The number of function words among words that are folded; case does not matter. */
export function functionWordsIn(words: readonly string[]): number {
  return words.filter((word) => FUNCTION_WORDS.has(word.toLowerCase())).length;
}
