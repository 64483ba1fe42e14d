// What pages say that are no content. The words are many languages' own; each rule that uses them also asks for little else on the page.

export const CHALLENGE =
  /just a moment\b|checking (?:if the site connection|your browser)|verify(?:ing)? (?:that )?you are (?:a )?human|attention required!? \| cloudflare|enable javascript and cookies to continue|ddos protection by|please wait while we verify|pardon our interruption|access to this page has been denied|you have been blocked|request unsuccessful\. incapsula|проверка браузера|(?:wir prüfen|überprüf\w*) (?:ihren|ihres) browser|vérification de votre navigateur|verificando (?:su|seu|que eres)|ブラウザを(?:確認|検証)|安全检查|安全檢查|正在(?:进行|验证|檢查).{0,8}(?:安全|人机|浏览器|瀏覽器)|请完成(?:以下|下方)?(?:安全)?验证|访问(?:过于|太)频繁/iu;
export const CAPTCHA_MARK =
  /g-recaptcha|h-captcha|cf-turnstile|geetest|arkose|funcaptcha|(?:^|[\s_-])px-captcha|captcha-?(?:box|container|image|delivery|form)|nc_wrapper/iu;
export const CAPTCHA_TEXT =
  /\bcaptcha\b|i'?m not a robot|you are not a robot|are you a (?:human|robot)|unusual traffic|enter the characters|type the (?:characters|text)|(?:press|click) (?:&|and) hold|complete the security check|验证码|滑动(?:完成)?验证|拖动(?:下方)?滑块|人机验证|驗證碼|ロボットではない|画像に表示|자동입력 방지|kein roboter|pas un robot|no (?:soy|eres) un robot/iu;
export const LOGIN_TEXT =
  /\b(?:log|sign)(?:ged)? ?in\b|\blogin\b|\bpassword\b|authenticat|members only|登录|登錄|登入|密码|密碼|ログイン|パスワード|로그인|비밀번호|anmelden|einloggen|inloggen|se connecter|connexion|iniciar sesi[óo]n|accedi|entrar|logga in|войти|вход/iu;
export const MUST_SIGN_IN =
  /\b(?:log|sign) ?in (?:to|with)\b|(?:must|need to|have to|please) (?:be )?(?:(?:log|sign)(?:ged)? ?in|register)|请(?:先)?登录|請先登入|bitte (?:melden sie sich an|einloggen)|veuillez vous connecter|ログインしてください/iu;
export const CONSENT_TEXT =
  /\bcookies?\b|\bconsent|privacy (?:settings|choices|preferences)|before you continue|we value your privacy|vie privée|privatsphäre|einwilligung|consentement|consentimiento|隐私设置|同意并继续|datenschutz/giu;
export const CONSENT_CHOICE =
  /\b(?:accept|agree|reject|decline|manage|allow)\b|同意|接受|拒绝|akzeptieren|ablehnen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|accepteren|weigeren|同意する/iu;
export const NOT_FOUND =
  /\b404\b|not found|(?:page|article|content|product|item|listing)[^.]{0,30}(?:does ?n[o'’]t exist|no longer (?:exists|available)|could ?n[o'’]t be found|can ?n[o'’]t be found|has been (?:removed|deleted))|(?:页面|頁面|网页|內容|内容|文章|商品)(?:不存在|未找到|已删除|找不到)|(?:页面|頁面|内容|文章).{0,4}(?:不存在|已被?删除)|找不到(?:该|您|你)?.{0,6}(?:页面|网页|頁面)|seite (?:wurde )?nicht gefunden|page (?:est )?introuvable|page demandée n.existe|página no encontrada|página não encontrada|pagina niet gevonden|pagina non trovata|страница не найдена|ページ[はが]見つかりません|페이지를 찾을 수 없/iu;
export const SERVER_ERROR =
  /\b(?:500|502|503|504)\b[^\n]{0,40}(?:error|gateway|unavailable|timeout)|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|application error|\b429\b|too many requests|(?:down|closed) for (?:scheduled )?maintenance|under maintenance|scheduled maintenance|something went wrong|an? (?:unexpected )?error (?:has )?occurred|服务器(?:内部)?错误|服务(?:暂时)?不可用|系统(?:错误|繁忙|维护)|メンテナンス中|wartungsarbeiten|en maintenance/iu;
export const FORBIDDEN =
  /\b403\b[^\n]{0,20}forbidden|^forbidden\b|access denied|you don['’]?t have permission|\b451\b|unavailable for legal reasons|not available in your (?:country|region)|拒绝访问|无权访问|zugriff verweigert|accès refusé|acceso denegado/iu;
export const SKELETON_TEXT =
  /^(?:loading|please wait|正在加载|加载中|載入中|読み込み中|로딩|wird geladen|chargement|cargando|загрузка|you need to enable javascript|please enable javascript|this (?:app|site|page) (?:works best with|requires) javascript|javascript (?:is )?(?:required|disabled))/iu;
export const NEEDS_SCRIPT =
  /(?:enable|requires?|turn on|activate) javascript|javascript (?:is )?(?:required|disabled|must be)|开启 ?javascript|启用 ?javascript/iu;

/** Vocabulary of walls in passing: a sentence with one of these words does not show that the page has something else to say. */
export const WALL_VOCABULARY =
  /browser|navigateur|браузер|浏览器|瀏覽器|ブラウザ|\bbots?\b|robot|captcha|human\b|javascript|java script|cookie|consent|einwilligung|consentement|partner|personal data|personenbezogene|privacy|privat|vie privée|隐私|隱私|log(?:ged)? ?in|sign(?:ed)? ?in|login|password|account|konto|compte|登录|登錄|登入|密码|密碼|注册|ログイン|パスワード|security|安全|验证|驗證|verif|redirect|перенаправ|access\b|zugriff|blocked|\bblock\b|request|server|服务器|error|fehler|erreur|错误|404|403|50[0234]|not found|n[o'’]t exist|no longer|introuvable|existe pas|no existe|encontrad|不存在|已?删除|見つかり|URL|try again|later\b|稍后|稍候|maintenance|维护|unavailable|permission|terms of|we can['’]?t find|looking for|welcome back|loading|加载/iu;
